import '@sitewright/example-site/site.css'
import { routes } from '@sitewright/example-site'
import type { ReactNode } from 'react'

export const metadata = { icons: '/icon.svg' }

export default function Layout({ children }: { children: ReactNode }) {
  return (
    <html {...routes.html('de')}>
      <body>{children}</body>
    </html>
  )
}
