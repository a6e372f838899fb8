import { request as httpRequest } from 'node:http'

export interface Sent {
  method?: string
  headers?: Record<string, string> | string[]
  body?: string
}

export interface Received {
  status: number | undefined
  headers: Record<string, string | string[] | undefined>
  body: Buffer
}

/** Sends one request and returns the response, both unchanged by a client library. */
export function ask(
  origin: string,
  path: string,
  { method = 'GET', headers = {}, body }: Sent = {},
): Promise<Received> {
  return new Promise((resolve, reject) => {
    const { hostname, port, host } = new URL(origin)
    const allHeaders = Array.isArray(headers) ? ['Host', host, ...headers] : { Host: host, ...headers }
    const request = httpRequest({ hostname, port, path, method, headers: allHeaders as never }, (response) => {
      const pieces: Buffer[] = []
      response.on('data', (piece) => pieces.push(piece))
      response.on('end', () =>
        resolve({ status: response.statusCode, headers: response.headers, body: Buffer.concat(pieces) }),
      )
      response.on('error', reject)
    })
    request.on('error', reject).end(body)
  })
}
