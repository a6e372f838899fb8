import type { ReactNode } from 'react'
import { routes } from '../../routes'

interface Props {
  children: ReactNode
  /** The page of `@switch`, which knows the address. */
  switch: ReactNode
  params: Promise<{ language: string }>
}

export default async function Layout({ children, switch: languageSwitch, params }: Props) {
  const { language } = await routes.findBySlug((await params).language, [])
  return (
    <html {...routes.html(language)}>
      <body>
        <header>{languageSwitch}</header>
        {children}
      </body>
    </html>
  )
}
