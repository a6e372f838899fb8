import { createRequire } from 'node:module'
import type { Application, RequestHandler } from 'express'

// Middleware of public sites. Most of these packages have no types of their own.
const require = createRequire(import.meta.url)

type Options = Record<string, unknown>
type Create = (options?: Options) => RequestHandler

export const cookieParser: (secret?: string) => RequestHandler = require('cookie-parser')
export const cookieSession: Create = require('cookie-session')
export const cors: Create = require('cors')
export const flash: Create = require('connect-flash')
export const session: Create = require('express-session')
export const lusca: { csrf: Create } = require('lusca')
export const morgan: (format: string, options?: Options) => RequestHandler = require('morgan')
export const passport: Record<'initialize' | 'session', () => RequestHandler> & {
  authenticate(name: string): RequestHandler
  deserializeUser(read: (user: unknown, done: (error: null, user: unknown) => void) => void): void
  serializeUser(write: (user: unknown, done: (error: null, user: unknown) => void) => void): void
  use(strategy: object): void
} = require('passport')
export const pug: { __express: Parameters<Application['engine']>[1] } = require('pug')
