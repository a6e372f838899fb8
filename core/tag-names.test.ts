import { describe, expect, it } from 'vitest'
import { addTags, checkTags, maxTags, parseTags } from './tag-names.js'

describe('tags', () => {
  it.each([
    [null, []],
    ['', []],
    [' , ,', []],
    ['document', ['document']],
    [' a ,b,, a,two words ', ['a', 'b', 'two words']],
    ['gr\u00f6\u00dfe', ['gr%C3%B6%C3%9Fe']],
  ])('of Cache-Tag %j', (field, tags) => expect(parseTags(field)).toEqual({ tags }))

  it('are at most 10,000', () => {
    const list = Array.from({ length: maxTags }, (_, index) => `tag-${index}`)
    expect(parseTags(list.join(',')).tags).toHaveLength(maxTags)
    expect(parseTags(addTags(list.join(','), ['one-more'])).error).toBe('more than 10000 tags')
    expect(parseTags('x'.repeat(1_000_000)).error).toBe('a tag is longer than 1024 characters')
  })

  it.each([
    [null, ['a', ' b '], 'a,b'],
    ['a, b,', ['b', 'c'], 'a,b,c'],
    ['a', ['größe', '新', '\ud800', 'a,b', ' ', '\r\n'], 'a,gr%C3%B6%C3%9Fe,%E6%96%B0,%EF%BF%BD,a%2Cb'],
  ])('join %j', (field, tags, joined) => {
    expect(addTags(field, tags)).toBe(joined)
    expect(addTags(joined, tags)).toBe(joined)
    expect(parseTags(joined)).toEqual({ tags: joined.split(',') })
  })

  it('are checked before a purge', () => {
    expect(checkTags([' a ', 'a', 'b'])).toEqual(['a', 'b'])
    expect(checkTags(['größe'])).toEqual(['größe', 'gr%C3%B6%C3%9Fe'])
    for (const wrong of [[], ['a,b'], [''], [' '], [1], 'document', undefined]) {
      expect(() => checkTags(wrong as string[])).toThrow(/^tags: /)
    }
  })
})
