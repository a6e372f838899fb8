import 'sitewright/styleguide.css'
import type { ReactNode } from 'react'

export default function Layout({ children }: { children: ReactNode }) {
  return (
    <html lang="en">
      <head>
        {/* Not deferred, so that the color scheme is applied before the first paint. */}
        <script src="/sitewright/styleguide.js" />
      </head>
      <body>{children}</body>
    </html>
  )
}
