import { createLanguageProxy } from 'sitewright/next'
import { routes } from './routes'

// In middleware.ts of Next.js 15: export const middleware.
export const proxy = createLanguageProxy(routes)
// Everything but Next.js' own files, the API, files, and pages outside the table: here the styleguide.
export const config = { matcher: '/((?!_|api/|styleguide|.*\\.).*)' }
