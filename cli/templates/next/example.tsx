import { unstable_cache } from 'next/cache'
import Image from 'next/image'

const tags = ['document']
// Content of your CMS; or 'use cache' with cacheTag('document').
const readContent = async () => new Date().toISOString()
const readCached = unstable_cache(readContent, ['example'], { tags })
export default async function Page() {
  const image = { src: '/media/cat.jpg', width: 640, height: 480 }
  return (
    <p>
      {await readCached()} <Image {...image} alt="A cat" />
    </p>
  )
}
