import { cacheControl, renderedAt, src } from '../../site.js'

export const headers = () => ({ 'Cache-Control': cacheControl })
export const loader = () => ({ at: renderedAt(), src })

export default function Home({ loaderData }) {
  return (
    <>
      <p>{loaderData.at}</p>
      <img src={loaderData.src} alt="" />
    </>
  )
}
