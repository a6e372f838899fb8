import Image from 'next/image'

export default function Page() {
  return <Image src="/shop/media/cat.jpg" width={640} height={480} alt="A cat" />
}
