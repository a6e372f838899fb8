import '@sitewright/example-site/site.css'
import 'sitewright/styleguide.css'
import '@sitewright/example-site/styleguide.css'
import type { ReactNode } from 'react'
import { Refresh } from './refresh'

export const metadata = { icons: '/icon.svg' }

export default function Layout({ children }: { children: ReactNode }) {
  return (
    <html lang="en">
      <head>
        {/* Not deferred, so that the color scheme is applied before the first paint. */}
        <script src="/sitewright/styleguide.js" />
      </head>
      <body>
        {children}
        {process.env.NODE_ENV === 'development' && <Refresh />}
      </body>
    </html>
  )
}
