/** Answers every request. */
export type Handler = (request: Request) => Promise<Response>

/** Answers the requests of its own route; `undefined` says "not my route", and the server goes on to the next. */
export type RouteHandler = (request: Request) => Promise<Response | undefined>

/** What adapters mount: either of them, also a synchronous one, such as Hono's `app.fetch`. */
export type Mountable = (request: Request) => Response | undefined | Promise<Response | undefined>
