// Creating image URLs: the cost per image on a page, and per request in a proxy.
import { createHmac } from 'node:crypto'
import { generateImageUrl } from '@imgproxy/imgproxy-node'
import { transformProps } from '@unpic/core'
import { createImageLoader, imageSrcSet } from 'sitewright/image'
import { createSigner } from '../dist/core/image/sign.js'
import { encodeSource } from '../dist/core/image/url.js'
import { compare } from './compare.js'

const key = '943b421c9eb07c830af81030552c86009268de4e532ba2ee2eab8247c6da0881'
const salt = '520f986b998545b4785e0defbc4f3c1203f22de2374a3d53cb7a7fe9fea309c5'
const source = 'https://cdn.example.com/photos/2026/11/a-cat-running.jpg'
const encoded = Buffer.from(source).toString('base64url')
const path = `/rs:fill:640/g:sm/${encoded}`

export async function benchUrls() {
  const sign = createSigner({ key, salt })
  const [keyBytes, saltBytes] = [Buffer.from(key, 'hex'), Buffer.from(salt, 'hex')]
  const webKey = await crypto.subtle.importKey('raw', keyBytes, { name: 'HMAC', hash: 'SHA-256' }, false, ['sign'])
  const signedUrl = () => {
    const unsigned = `/rs:fill:640/g:sm/${encodeSource(source)}`
    return `http://imgproxy/${sign(unsigned)}${unsigned}`
  }

  await compare('Signing one path', {
    'sitewright createSigner': () => sign(path),
    'node:crypto createHmac, key as bytes': () =>
      createHmac('sha256', keyBytes).update(saltBytes).update(path).digest('base64url'),
    'WebCrypto, imported key': () => crypto.subtle.sign('HMAC', webKey, Buffer.concat([saltBytes, Buffer.from(path)])),
  })
  await compare('A signed imgproxy URL', {
    'sitewright encodeSource, createSigner': signedUrl,
    'imgproxy-node generateImageUrl': () =>
      generateImageUrl({
        endpoint: 'http://imgproxy/',
        url: source,
        options: { resizing_type: 'fill', width: 640, gravity: { type: 'sm' } },
        key,
        salt,
      }),
  })

  const loader = createImageLoader({ sources: ['https://cdn.example.com/'] })
  await compare('The srcset of one image', {
    'sitewright imageSrcSet': () => imageSrcSet({ loader, src: source, width: 640 }),
    'unpic transformProps, imgix': () =>
      transformProps({ src: source, width: 640, height: 480, layout: 'constrained', cdn: 'imgix' }),
  })
}
