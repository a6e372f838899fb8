import { expect, it, vi } from 'vitest'
import { nodeListener } from '../../adapters/node/listener.js'
import { rawExchange } from './exchange.js'
import { listen } from './listen.js'
import { testAdapter } from './suite.js'

testAdapter({
  name: 'Node',
  start: ({ handler, mount = '/', onError = () => {} }) =>
    listen(
      nodeListener(
        async (request) =>
          (new URL(request.url).pathname.startsWith(mount) && (await handler(request))) || new Response('next'),
        { onError },
      ),
    ),
})

it('never sends more than Content-Length, which the client would parse as the next response', async () => {
  const onError = vi.fn()
  const respond = () => new Response('12345HTTP/1.1 200 OK\r\n\r\n', { headers: { 'Content-Length': '5' } })
  const { url, close } = await listen(nodeListener(respond, { onError }))
  const received = await rawExchange(url, 'GET / HTTP/1.1\r\nHost: a\r\nConnection: keep-alive\r\n\r\n')
  expect(received.split('HTTP/1.1 200 OK').length - 1).toBeLessThanOrEqual(1)
  expect(onError).toHaveBeenCalledOnce()
  await close()
})

it('reports a body that fails midway', async () => {
  const onError = vi.fn()
  const failing = new ReadableStream({ pull: (controller) => controller.error(new Error('broken on purpose')) })
  const { url, close } = await listen(nodeListener(() => new Response(failing), { onError }))
  await expect(fetch(url).then((response) => response.text())).rejects.toThrow()
  expect(onError).toHaveBeenCalledWith(expect.objectContaining({ message: 'broken on purpose' }))
  await close()
})
