import type { OutgoingHttpHeaders } from 'node:http'
import type { RouteHandler } from '../../core/handler.js'

export interface RunningServer {
  /** Origin, such as `http://127.0.0.1:41234`. */
  url: string
  close(): Promise<void>
}

export interface ServerSetup {
  handler: RouteHandler
  /** Path at which the handler is mounted, such as `/mounted`. Default: the root. */
  mount?: string
  /** Whether the framework's own body parser runs before the handler. */
  parser?: boolean
  /** Called by the server's own error handler with each error that reaches it. */
  onError?: (error: unknown) => void
}

export interface Adapter {
  name: string
  /** Starts a real server on a free port, with the handler and, after it, a route that answers `next` at any path. */
  start(setup: ServerSetup): Promise<RunningServer>
  /** Whether the framework has body parsers, which consume the stream. Default false. */
  hasParser?: boolean
  /** Whether the adapter handles the connection itself, and not another package's runtime. Default true. */
  ownsConnection?: boolean
  /** Creates the client that sends the requests. Default: HTTP/1.1. */
  createClient?: () => Client
}

/** Sends the suite's requests over one version of HTTP. */
export interface Client {
  readonly httpVersion: 1 | 2
  fetch(url: string, init?: RequestInit): Promise<Response>
  /** Sends one request and changes neither headers nor body. All go through one connection. */
  exchange(
    url: string,
    options?: { method?: string; headers?: OutgoingHttpHeaders | string[] },
    body?: Buffer,
  ): Promise<{ status: number; headers: Record<string, string | string[] | undefined>; body: Buffer }>
  /** Sends a request for another Host, or `:authority`, and returns the status of the response. */
  statusForHost(url: string, host: string): Promise<number>
  close(): void
}

/** Starts a server with a handler for one test, and returns its origin. */
export type Serve = (handler: RouteHandler, options?: Omit<ServerSetup, 'handler'>) => Promise<string>
