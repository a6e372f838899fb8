import { createHash } from 'node:crypto'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { checkTags, encodeTag, parseTags } from './tags.js'

const digest = (text: string) => `sha256-${createHash('sha256').update(text).digest('hex')}`

describe('tags', () => {
  it.each([
    [null, []],
    ['', []],
    [' , ,', []],
    ['document', ['document']],
    [' a ,b,, a,two words ', ['a', 'b', 'two words']],
    ['gr\u00f6\u00dfe', ['gr%C3%B6%C3%9Fe']],
  ])('parseTags reads the tags of Cache-Tag %j', (field, tags) => expect(parseTags(field)).toEqual(tags))

  it('every function replaces a tag of more than 1,024 characters by its digest', () => {
    const long = 'x'.repeat(1_000_000)
    expect(parseTags(long)).toEqual([digest(long)])
    expect(parseTags(null, [encodeTag(long)])).toEqual([digest(long)])
    expect(checkTags([long])).toEqual([digest(long)])
    expect(parseTags('x'.repeat(1024))).toEqual(['x'.repeat(1024)])
  })

  it.each([
    [null, ['a', ' b '], 'a,b'],
    ['a, b,', ['b', 'c'], 'a,b,c'],
    ['a', ['größe', '新', '\ud800', 'a,b'], 'a,gr%C3%B6%C3%9Fe,%E6%96%B0,%EF%BF%BD,a%2Cb'],
  ])('parseTags joins the tags of Cache-Tag %j with added tags', (field, tags, joined) => {
    const encoded = tags.map(encodeTag)
    expect(parseTags(field, encoded).join()).toBe(joined)
    expect(parseTags(joined, encoded).join()).toBe(joined)
  })

  it('checkTags returns the names of the tags to purge, and rejects empty tags', () => {
    expect(checkTags([' a ', 'a', 'b'])).toEqual(['a', 'b'])
    expect(checkTags(['größe'])).toEqual(['größe', 'gr%C3%B6%C3%9Fe'])
    expect(checkTags(['a, b'])).toEqual(['a, b', 'a%2C b'])
    for (const invalidTags of [[], [''], [' '], [1], 'document', undefined]) {
      expect(() => checkTags(invalidTags as string[])).toThrow(/^tags: /)
    }
  })

  it('every tag that a response can have is purged by the same name', () => {
    const anyTag = fc.string({ unit: 'binary', minLength: 1, maxLength: 2000 }).filter((tag) => tag.trim() !== '')
    fc.assert(
      fc.property(anyTag, (tag) => {
        const tags = parseTags(encodeTag(tag))
        expect(tags).toHaveLength(1)
        expect(checkTags([tag])).toContain(tags[0])
      }),
    )
  })
})
