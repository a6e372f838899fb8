export default function Page() {
  return <main>Home</main>
}
