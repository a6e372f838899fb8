import '@sitewright/example-site/site.css'
import type { ReactNode } from 'react'

export const metadata = { icons: '/icon.svg' }

export default function Layout({ children }: { children: ReactNode }) {
  return (
    <html lang="de">
      <body>{children}</body>
    </html>
  )
}
