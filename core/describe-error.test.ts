import { expect, it } from 'vitest'
import { describeError } from './log.js'

const round = new Error('round')
round.cause = round

it.each([
  [new Error('a', { cause: new Error('b', { cause: 'c' }) }), 'a: b: c'],
  [Object.assign(new AggregateError([]), { code: 'ECONNREFUSED' }), 'ECONNREFUSED'],
  [new TypeError(''), 'TypeError'],
  [round, 'round: round: round: round: round: round'],
  ['text', 'text'],
  [Object.create(null), 'a value that cannot be described'],
  [
    Object.defineProperty(new Error('a'), 'cause', {
      get() {
        throw new Error('b')
      },
    }),
    'a: a value that cannot be described',
  ],
  [undefined, 'undefined'],
])('%o is described', (error, text) => expect(describeError(error)).toBe(text))
