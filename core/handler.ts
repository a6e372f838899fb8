/** Answers every request. */
export type Handler = (request: Request) => Promise<Response>

/** Answers the requests of its own route; `undefined` says "not my route", and the server goes on to the next. */
export type RouteHandler = (request: Request) => Promise<Response | undefined>
