import type { ReactNode } from 'react'
import { routes } from '../../routes'

interface Props {
  params: Promise<{ language: string }>
  children: ReactNode
}

export default async function Layout({ params, children }: Props) {
  return (
    <html {...routes.html((await params).language)}>
      <body>{children}</body>
    </html>
  )
}
