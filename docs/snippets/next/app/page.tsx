import { unstable_cache } from 'next/cache'
import Image from 'next/image'

// Whatever reads your content, with the tag that the revalidation endpoint purges.
const readNews = unstable_cache(async () => `As of ${new Date().toISOString()}`, ['news'], {
  tags: ['document'],
})

export default async function Page() {
  return (
    <main>
      <h1>{await readNews()}</h1>
      <Image
        src="/media/black-canyon.jpg"
        alt="The Black Canyon"
        width={960}
        height={703}
      />
    </main>
  )
}
