import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { imgproxy } from '../../adapters/imgproxy/index.js'
import { createImages } from '../image/index.js'
import { EndpointError } from './authorize.js'
import { mapPayload, narrowTags, tagsOfPaths } from './tags.js'

const configured = ['document', 'menu', '__proto__']
const narrow = (body: string | Uint8Array) =>
  narrowTags(configured, typeof body === 'string' ? new TextEncoder().encode(body) : body)

describe('tagsOfPaths', () => {
  const service = imgproxy({ serviceUrl: 'http://images.test', key: 'aa', salt: 'bb' })
  const tagsOf = (sources: 'any' | string[], path: string) =>
    tagsOfPaths([path], createImages({ sources, service }), 'https://www.example.com/api/revalidate').tags
  it.each<['any' | string[], string, string[]]>([
    ['any', '/about', ['/about']],
    ['any', '/de/v1.2', ['/de/v1.2']],
    ['any', '/a//b', ['/a/b', '/a//b']],
    ['any', '/media/cat.JPG', ['/media/cat.JPG']],
    ['any', '/media/cat.jpg?v=2', ['/media/cat.jpg']],
    ['any', 'https://cdn.example.com/cat', ['https://cdn.example.com/cat']],
    ['any', 'https://www.example.com/about', ['https://www.example.com/about', '/about']],
    [['/'], '/about', ['/about']],
    [['/'], 'https://www.example.com/about', ['/about']],
    [['/media/'], '/about', ['/about']],
    [['/media/'], '/media/cat.jpg', ['/media/cat.jpg']],
  ])('with the image sources %j, the path %s has the tags %j', (sources, path, tags) =>
    expect(tagsOf(sources, path)).toEqual(tags),
  )
})

describe('narrowTags', () => {
  it.each([
    ['no text', '', configured],
    ['no tags', '{}', configured],
    ['another payload', '{"_type":"page","id":1}', configured],
    ['one tag', '{"tags":["menu"]}', ['menu']],
    ['one tag twice', '{"tags":["menu","menu"]}', ['menu']],
    ['all tags', '{"tags":["__proto__","menu","document"]}', configured],
    ['a byte order mark', '\ufeff{"tags":["menu"]}', ['menu']],
  ])('narrowTags returns the tags of a body with %s', (_, body, tags) => expect(narrow(body)).toEqual({ tags }))
})

describe('narrowTags with a bad body', () => {
  const object = 'Body must be an object such as {"tags":["document"]}'
  it.each([
    ['white space', ' ', 'Body is not JSON'],
    ['text', 'tags=document', 'Body is not JSON'],
    ['truncated JSON', '{"tags":["menu"', 'Body is not JSON'],
    ['two JSON values', '{}{}', 'Body is not JSON'],
    ['invalid UTF-8', new Uint8Array([0x22, 0xff, 0x22]), 'Body is not JSON'],
    ['null', 'null', object],
    ['a number', '1', object],
    ['a string', '"menu"', object],
    ['an array', '["menu"]', object],
    ['tags that are null', '{"tags":null}', 'tags must be an array of strings'],
    ['tags that are a string', '{"tags":"menu"}', 'tags must be an array of strings'],
    ['tags that are an object', '{"tags":{"0":"menu","length":1}}', 'tags must be an array of strings'],
    ['a tag that is a number', '{"tags":["menu",1]}', 'tags must be an array of strings'],
    ['a tag that is an array', '{"tags":[["menu"]]}', 'tags must be an array of strings'],
    ['no tag', '{"tags":[]}', 'tags must name at least one tag'],
    [
      'an unknown tag',
      '{"tags":["menu","post"]}',
      'Unknown tag "post": list it in the option tags, or return it from getTags',
    ],
    [
      'another letter case',
      '{"tags":["Menu"]}',
      'Unknown tag "Menu": list it in the option tags, or return it from getTags',
    ],
    ['an empty tag', '{"tags":[""]}', 'Unknown tag "": list it in the option tags, or return it from getTags'],
    [
      'the tag constructor',
      '{"tags":["constructor"]}',
      'Unknown tag "constructor": list it in the option tags, or return it from getTags',
    ],
    [
      'a long tag',
      `{"tags":["${'x'.repeat(500)}"]}`,
      `Unknown tag "${'x'.repeat(100)}": list it in the option tags, or return it from getTags`,
    ],
    ['deeply nested arrays', `${'['.repeat(30_000)}${']'.repeat(30_000)}`, object],
  ])('narrowTags rejects a body with %s', (_, body, message) =>
    expect(() => narrow(body)).toThrow(expect.objectContaining({ status: 400, message })),
  )
})

it('narrowTags never returns tags that are not configured, and throws only errors of the endpoint', () => {
  fc.assert(
    fc.property(fc.oneof(fc.json(), fc.string()), fc.array(fc.string()), (body, tags) => {
      for (const candidate of [body, JSON.stringify({ tags })]) {
        try {
          expect(configured).toEqual(expect.arrayContaining([...narrow(candidate).tags]))
        } catch (error) {
          expect(error).toBeInstanceOf(EndpointError)
        }
      }
    }),
  )
})

describe('mapPayload', () => {
  const map = (tags: unknown) => mapPayload(() => tags as string[], new TextEncoder().encode('{}'))

  it('mapPayload returns each tag of the function once', () => {
    expect(map(['menu', 'menu', 'post'])).toEqual({ tags: ['menu', 'post'] })
    expect(map([])).toEqual({ tags: [] })
  })

  it('mapPayload leaves out empty tags, which no response has, and reports them', () => {
    expect(map(['menu', '', ' '])).toEqual({
      tags: ['menu'],
      warning: expect.objectContaining({ message: 'Empty tag ignored' }),
    })
    expect(map([''])).toEqual({ tags: [], warning: expect.objectContaining({ message: 'Empty tag ignored' }) })
  })

  it.each([
    ['menu', "getTags: expected a list of tags, such as ['document'], got 'menu'"],
    [[42], "getTags: expected non-empty strings, such as 'document', got 42"],
  ])('mapPayload rejects %j', (tags, message) => expect(() => map(tags)).toThrow(message))
})
