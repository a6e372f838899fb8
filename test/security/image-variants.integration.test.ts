import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, onTestFinished, test } from 'vitest'
import { folderWith } from '../../adapters/disk/testing/folder.js'
import { createImages } from '../../core/image/index.js'
import { imageOptions, loadImage } from '../../examples/site/src/server/images.js'

test('an image type that the service does not know gets no separate image, which would be rendered and stored', async () => {
  let rendered = 0
  const service = createServer((_, res) => {
    rendered++
    const headers = { 'Content-Type': 'image/webp', 'Cache-Control': 'max-age=31536000', Vary: 'Accept' }
    res.writeHead(200, headers).end('image')
  }).listen(0, '127.0.0.1')
  await once(service, 'listening')
  onTestFinished(() => void service.close().closeAllConnections())
  const env = {
    IMAGE_PROXY_URL: `http://127.0.0.1:${(service.address() as AddressInfo).port}`,
    IMAGE_PROXY_KEY: '00'.repeat(32),
    IMAGE_PROXY_SALT: '00'.repeat(32),
  }
  const { handler } = createImages(imageOptions({ site: '', cache: await folderWith({}) }, env))
  const url = `https://site.test${loadImage({ src: '/media/cat.jpg', width: 640 })}`
  for (let number = 0; number < 5; number++) {
    const response = await handler(new Request(url, { headers: { Accept: `image/webp,image/x${number}` } }))
    expect(await response?.text()).toBe('image')
  }
  expect(rendered).toBe(1)
})
