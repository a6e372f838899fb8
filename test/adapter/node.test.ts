import { nodeListener } from '../../adapters/node/listener.js'
import { listen } from './listen.js'
import { testAdapter } from './suite.js'

testAdapter({
  name: 'Node',
  start: ({ handler, mount = '/' }) =>
    listen(
      nodeListener(
        async (request) =>
          (new URL(request.url).pathname.startsWith(mount) && (await handler(request))) || new Response('next'),
        { onError: () => {} },
      ),
    ),
})
