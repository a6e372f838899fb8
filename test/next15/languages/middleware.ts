import { createLanguageProxy } from 'sitewright/next'
import { routes } from './routes'

export const middleware = createLanguageProxy(routes)
export const config = { matcher: '/((?!_|api/|styleguide|.*\\.).*)' }
