import { expect, test } from 'vitest'
import { createImgproxyUrls, formatProcessing } from './imgproxy.js'
import { createPlanner } from './plan.js'
import { encodeSource } from './url.js'

const urlOf = createImgproxyUrls({
  serviceUrl: 'https://imgproxy.example.com',
  key: '736563726574',
  salt: '68656C6C6F',
})
const plan = createPlanner({ sources: ['/media/'] })

// The signatures are those of `openssl dgst -sha256 -mac HMAC -macopt hexkey:736563726574 -binary`, of `hello` and the path.
test.each([
  ['width=640', '/h8ujnQ2nl70SIARw77-musnwylLMOfTYcqdna0Je1fw/rs:fill:640/g:sm/bG9jYWw6Ly8vbWVkaWEvY2F0LmpwZw'],
  [
    'width=640&ratio=16:9',
    '/dBOXQ0tPqBkHqf4HdC87BqSoRa-GgjZn-YelQhmS7Po/rs:fill-down:640:360/g:sm/bG9jYWw6Ly8vbWVkaWEvY2F0LmpwZw',
  ],
  [
    'width=640&ratio=16:9&focus=3,7',
    '/-4kSpDM1vWK4YLCVWQ30H419LG1lIcFiLiyubZuYYko/rs:fill-down:640:360/g:fp:0.3:0.7/bG9jYWw6Ly8vbWVkaWEvY2F0LmpwZw',
  ],
  [
    'width=16&ratio=4:3&focus=10,0',
    '/KxBW_AuaTIalVUlc2LEcUszTjbdFDWxpLLWoaHyhJNk/rs:fill-down:16:12/g:fp:1:0/bG9jYWw6Ly8vbWVkaWEvY2F0LmpwZw',
  ],
])('/_image/{source}?%s is rewritten to %s', (query, path) => {
  const url = `https://www.example.com/_image/${encodeSource('/media/cat.jpg')}?${query}`
  const planned = plan({ method: 'GET', url })
  if (!planned || !('image' in planned)) throw new Error('expected an image')
  const { image } = planned
  expect(urlOf(image.source, formatProcessing(image))).toEqual({ url: `https://imgproxy.example.com${path}` })
})

test('without an option, there is no URL, but a malformed one is still an error', () => {
  const address = { serviceUrl: 'https://imgproxy.example.com', key: 'aa', salt: 'bb' }
  for (const name of Object.keys(address)) {
    const urlOf = createImgproxyUrls({ ...address, [name]: undefined })
    expect(urlOf('/media/cat.jpg', 'rs:fill:640/g:sm')).toEqual({ reason: 'serviceUrl, key or salt is missing' })
  }
  expect(() => createImgproxyUrls({ ...address, serviceUrl: undefined, salt: 'no hex' })).toThrow('salt: expected hex')
})
