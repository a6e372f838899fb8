// The site on the own servers of Bun and Deno, which call a function from Request to Response.
import { onePixel } from './picture.js'
import { createSite } from './site.js'

const { fetch } = createSite({ images: onePixel })
const options = { hostname: '127.0.0.1', port: 0 }
const announce = (/** @type {number} */ port) => console.log(`http://127.0.0.1:${port}`)

const { Bun, Deno } = /** @type {any} */ (globalThis)
if (Bun) announce(Bun.serve({ ...options, fetch }).port)
else {
  const onListen = (/** @type {{ port: number }} */ { port }) => announce(port)
  // Deno passes the connection as a second argument, which is no environment of Hono.
  Deno.serve({ ...options, onListen }, (/** @type {Request} */ request) => fetch(request))
}
