export const getStaticProps = async () => ({ props: { at: Date.now() }, revalidate: 3600 })

export default function Page({ at }) {
  return <p>{at}</p>
}
