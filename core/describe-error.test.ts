import { expect, it } from 'vitest'
import { describeError } from './log.js'

const selfCaused = new Error('own cause')
selfCaused.cause = selfCaused
const circular = new Error('one')
circular.cause = new Error('two', { cause: circular })

it.each([
  [new Error('a', { cause: new Error('b', { cause: 'c' }) }), 'a: b: c'],
  [Object.assign(new AggregateError([]), { code: 'ECONNREFUSED' }), 'ECONNREFUSED'],
  [new TypeError(''), 'TypeError'],
  [selfCaused, 'own cause'],
  [new Error('too large: 9 px', { cause: new Error('too large: 9 px') }), 'too large: 9 px'],
  [new Error('corrupt', { cause: new Error('corrupt: no EOI') }), 'corrupt: no EOI'],
  [new Error('a.css: no a', { cause: new Error('no a') }), 'a.css: no a'],
  [new Error('x: a: b', { cause: new Error('a', { cause: 'b' }) }), 'x: a: b'],
  [circular, 'one: two: one: two: one: two'],
  ['text', 'text'],
  [Object.create(null), 'a value that cannot be described'],
  [
    Object.defineProperty(new Error('a'), 'cause', {
      get() {
        throw new Error('b')
      },
    }),
    'a value that cannot be described',
  ],
  [undefined, 'undefined'],
])('%o is described for a log', (error, text) => expect(describeError(error)).toBe(text))
