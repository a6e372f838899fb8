// An imgproxy of a few lines: whatever the size, a picture of one pixel.
import { imgproxy } from 'sitewright/imgproxy'

const base64 = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=='
const picture = Uint8Array.from(atob(base64), (character) => character.charCodeAt(0))
const fetch = async () => new Response(picture, { headers: { 'Content-Type': 'image/png' } })
const key = { key: '736563726574', salt: '68656c6c6f' }

/** @type {import('sitewright/image').ImagesOptions} */
export const onePixel = {
  sources: ['/media/'],
  service: imgproxy({ serviceUrl: 'http://images', ...key, cache: false, fetch }),
}
