import { expressMiddleware } from 'sitewright/express'
import type { RouteHandler } from 'sitewright/node'

/** For servers in the manner of Connect: Polka, Restify, Vite's own and others. */
export function connectMiddleware(handler: RouteHandler) {
  return expressMiddleware(handler) // imports nothing of Express
}
