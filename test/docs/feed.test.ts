import { parseFeed } from '@rowanmanning/feed-parser'
import { expect, it } from 'vitest'
import { createFeed } from '../../docs/snippets/feed.js'

it('the feed of the guide has absolute addresses, dates, and pictures with their size', async () => {
  const photo = { src: '/media/boats.jpg', width: 1280, height: 720 }
  const article = {
    path: '/articles/boats',
    title: 'Boats & <ships>',
    summary: 'On patience.',
    date: '2026-11-26',
    photo,
  }
  const response = await createFeed(async () => [article])(new Request('https://www.example.com/feed.xml'))
  const feed = parseFeed((await response?.text()) ?? '').toJSON()
  expect(feed).toMatchObject({ title: 'Boats', self: 'https://www.example.com/feed.xml', meta: { type: 'atom' } })
  const [item] = feed.items
  const url = 'https://www.example.com/articles/boats'
  expect(item).toMatchObject({ id: url, url, title: 'Boats & <ships>', updated: '2026-11-26T00:00:00.000Z' })
  expect(item?.content).toMatch(
    /<img src="https:\/\/www\.example\.com\/_image\/\w+\?width=640" width="640" height="360"/,
  )
})
