export default function Home() {
  return <h1>Tides</h1>
}
