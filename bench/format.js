// How figures are written in texts.

const number = (value) => {
  const digits = value >= 10 ? 3 : 2
  return Number(value.toPrecision(digits)).toLocaleString('en', { maximumFractionDigits: 3 })
}

/** `0.44 ms`, `259 KB` */
export const amount = (value, unit) => `${number(value)} ${unit}`

/** `15.7 ×`, and without decimals from 20 on: `85 ×` */
export const times = (value) =>
  `${value < 20 ? value.toFixed(1) : Math.round(value).toLocaleString('en', { maximumFractionDigits: 0 })} ×`

/** `10 % smaller` than a value, or `3 % larger` */
export function difference(value, base) {
  const percent = Math.round(100 * (1 - value / base))
  return percent >= 0 ? `${percent} % smaller` : `${-percent} % larger`
}

/** Reads values by their title in figures.json and the name of a contender. */
export function createReader(figures) {
  const read = (title, name) => {
    const value = figures[title]?.values[name]
    if (value === undefined) throw new Error(`figures.json: expected "${name}" of "${title}", got nothing`)
    return value
  }
  return {
    read,
    of: (title, name) => amount(read(title, name), figures[title].unit),
    ratio: (title, name, base) => times(read(title, name) / read(title, base)),
  }
}
