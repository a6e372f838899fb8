import { createFileRoute } from '@tanstack/react-router'
import { createServerFn } from '@tanstack/react-start'

const load = createServerFn().handler(async () => {
  const { renderedAt, src } = await import('../../../site.js')
  return { at: renderedAt(), src }
})

export const Route = createFileRoute('/')({
  loader: () => load(),
  headers: () => ({ 'Cache-Control': 's-maxage=60' }),
  component: function Home() {
    const { at, src } = Route.useLoaderData()
    return (
      <>
        <p>{at}</p>
        <img src={src} alt="" />
      </>
    )
  },
})
