import Image from 'next/image'
import { readText } from '../content'

export const getStaticProps = async ({ locale, draftMode = false }) => {
  return { props: { text: `${locale} ${await readText()}${draftMode ? ' draft' : ''}` } }
}

export default function Page({ text }) {
  return (
    <main>
      <p>{text}</p>
      <Image src="/shop/media/cat.jpg" width={640} height={480} alt="A cat" />
    </main>
  )
}
