/** Answers every request. */
export type Handler = (request: Request) => Promise<Response>

/** Answers the requests of its own route; `undefined` means "not my route", and the server tries the next handler. */
export type RouteHandler = (request: Request) => Promise<Response | undefined>

/** What adapters mount: either kind of handler, or a synchronous one such as Hono's `app.fetch`. */
export type Mountable = (request: Request) => Response | undefined | Promise<Response | undefined>
