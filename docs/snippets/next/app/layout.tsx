import type { ReactNode } from 'react'

export default function Layout({ children }: { children: ReactNode }) {
  return (
    <html lang="en">
      <head>
        {/* The styleguide's script: not deferred, so that the color scheme is applied before the first paint. */}
        <script src="/styleguide/script.js" />
      </head>
      <body>{children}</body>
    </html>
  )
}
