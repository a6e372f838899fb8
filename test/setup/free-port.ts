import { createServer } from 'node:net'

/**
 * Returns a port on which nobody listens, for a server in another process. It is below those that a system gives to servers and
 * connections by itself (from 32768 on Linux, from 49152 elsewhere), since on a busy machine one of these is often taken before
 * the server listens.
 */
export async function freePort(): Promise<number> {
  const port = 10_000 + Math.floor(Math.random() * 22_000)
  const isFree = await new Promise<boolean>((resolve) => {
    const server = createServer().once('error', () => resolve(false))
    server.listen(port, () => server.close(() => resolve(true)))
  })
  return isFree ? port : freePort()
}
