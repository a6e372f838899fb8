import 'sitewright/styleguide.css'
import type { ReactNode } from 'react'

export default function StyleguideLayout({ children }: { children: ReactNode }) {
  return children
}
