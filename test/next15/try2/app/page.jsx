import Image from 'next/image'
import { unstable_cache } from 'next/cache'
import { images } from '../images'

const readTime = unstable_cache(async () => String(performance.now()), ['time'], { tags: ['document'] })

export default async function Page() {
  const { width, height } = await images.describe('/media/cat.jpg')
  return (
    <main>
      <Image src="/media/cat.jpg" width={width} height={height} alt="A cat" />
      <p>{await readTime()}</p>
    </main>
  )
}
