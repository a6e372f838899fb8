import 'sitewright/spacing.css'
import type { ReactNode } from 'react'
import { routes } from '../../routes'

interface Props {
  children: ReactNode
  params: Promise<{ language: string }>
}

export default async function Layout({ children, params }: Props) {
  const { language } = await routes.findBySlug((await params).language, [])
  return (
    <html {...routes.html(language)}>
      <body>{children}</body>
    </html>
  )
}
