'use client'
import { useRouter } from 'next/navigation'
import { useEffect } from 'react'

/** Renders the page again, without a reload, when a file of the styleguide changes. */
export function Refresh() {
  const router = useRouter()
  useEffect(() => {
    // A browser opens six connections to a server, and each frame of a page would hold one.
    if (window.parent !== window) return
    const changes = new EventSource('/api/changes')
    changes.onmessage = () => router.refresh()
    return () => changes.close()
  }, [router])
  return null
}
