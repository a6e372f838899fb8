import Link from 'next/link'

export default function Page() {
  return (
    <main>
      About us. <Link href="/">Home</Link>
    </main>
  )
}
