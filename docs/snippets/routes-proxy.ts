import { createLanguageProxy } from 'sitewright/next'
import { routes } from './routes-cms.js'

// In middleware.ts of Next.js 15: export const middleware.
export const proxy = createLanguageProxy(routes)
export const config = { matcher: '/((?!_|api/|.*\\.).*)' }
