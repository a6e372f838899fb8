import '../styles.css'

export default function App({ Component, pageProps }) {
  return Component.isBare ? (
    <Component {...pageProps} />
  ) : (
    <div id="shop">
      <header>Shop</header>
      <Component {...pageProps} />
    </div>
  )
}
