export const getStaticProps = async () => ({ props: { at: Date.now() }, revalidate: 3600 })

export default function NotFound({ at }) {
  return <p>{at}</p>
}
