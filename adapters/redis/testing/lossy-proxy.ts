import { type AddressInfo, createConnection, createServer, type Socket } from 'node:net'

/** Starts a TCP proxy before Redis that can lose single replies, so that all later ones of the connection are shifted. */
export async function startLossyProxy(target: number) {
  const sockets = new Set<Socket>()
  let loses: ((reply: string) => boolean) | undefined
  const proxy = createServer((client) => {
    const server = createConnection(target, '127.0.0.1')
    for (const socket of [client, server]) {
      sockets.add(socket)
      socket.setNoDelay(true).on('error', () => {})
      socket.on('close', () => {
        client.destroy()
        server.destroy()
      })
    }
    client.pipe(server)
    let received = ''
    server.on('data', (bytes) => {
      received += bytes.toString('latin1')
      for (let end = endOfReply(received); end !== undefined; end = endOfReply(received)) {
        const reply = received.slice(0, end)
        received = received.slice(end)
        if (loses?.(reply)) loses = undefined
        else client.write(reply, 'latin1')
      }
    })
  })
  await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', resolve))
  return {
    port: (proxy.address() as AddressInfo).port,
    /** Loses the next reply, as Redis writes it, for which `matches` is true. */
    loseNext(matches: (reply: string) => boolean = () => true) {
      loses = matches
    },
    hasLost: () => loses === undefined,
    async stop() {
      for (const socket of sockets) socket.destroy()
      await new Promise((resolve) => proxy.close(resolve))
    },
  }
}

/** Where the first reply of RESP2 ends; `undefined` when it is incomplete. */
function endOfReply(text: string, start = 0): number | undefined {
  const lineEnd = text.indexOf('\r\n', start)
  if (lineEnd < 0) return undefined
  const length = Number(text.slice(start + 1, lineEnd))
  let end: number | undefined = lineEnd + 2
  if (text[start] === '$' && length >= 0) end += length + 2
  if (text[start] === '*') {
    for (let index = 0; index < length && end !== undefined; index++) end = endOfReply(text, end)
  }
  return end !== undefined && end <= text.length ? end : undefined
}
