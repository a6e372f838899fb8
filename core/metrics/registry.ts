/** Names and values of labels, in a fixed order. */
type Labels = Readonly<Record<string, string>>

/** The samples of one metric. A sample is named by a suffix of the metric's name, and by labels. */
export interface Metric {
  add(labels: Labels, change: number, suffix?: string): void
  set(labels: Labels, value: number): void
}

/**
 * Creates a registry of metrics. The caller keeps the values of labels few, because each combination takes memory for
 * good.
 */
export function createRegistry() {
  const metrics: { type: string; name: string; help: string; samples: Map<string, number> }[] = []
  return {
    /** @param name Without the suffix `_total` of a counter's samples. */
    define(type: 'counter' | 'gauge' | 'histogram', name: string, help: string): Metric {
      const samples = new Map<string, number>()
      metrics.push({ type, name, help, samples })
      return {
        add(labels, change, suffix = '') {
          const sample = suffix + formatLabels(labels)
          samples.set(sample, (samples.get(sample) ?? 0) + change)
        },
        set: (labels, value) => void samples.set(formatLabels(labels), value),
      }
    },

    /**
     * Formats all metrics in OpenMetrics (https://prometheus.io/docs/specs/om/open_metrics_spec/), or in the older text
     * format (https://prometheus.io/docs/instrumenting/exposition_formats/), which names counters with their suffix.
     */
    format(isOpenMetrics: boolean): string {
      const lines = metrics.flatMap(({ type, name, help, samples }) => {
        const family = type === 'counter' && !isOpenMetrics ? `${name}_total` : name
        const values = [...samples].map(([sample, value]) => `${name}${sample} ${value}`)
        return [`# HELP ${family} ${help}`, `# TYPE ${family} ${type}`, ...values]
      })
      return [...lines, ...(isOpenMetrics ? ['# EOF'] : []), ''].join('\n')
    },
  }
}

function formatLabels(labels: Labels): string {
  // Both formats escape a quote, a backslash and a line break as JSON does.
  return `{${Object.entries(labels).map(([name, value]) => `${name}=${JSON.stringify(value)}`)}}`
}

// Seconds, as OpenTelemetry advises for HTTP requests. Whole numbers have a fraction, because OpenMetrics demands it.
const bounds = '0.005 0.01 0.025 0.05 0.075 0.1 0.25 0.5 0.75 1.0 2.5 5.0 7.5 10.0 +Inf'.split(' ')

/** Adds a duration to a histogram. */
export function addSeconds(histogram: Metric, labels: Labels, seconds: number): void {
  const countWithin = (le: string) => (le === '+Inf' || seconds <= Number(le) ? 1 : 0)
  for (const le of bounds) histogram.add({ ...labels, le }, countWithin(le), '_bucket')
  histogram.add(labels, seconds, '_sum')
  histogram.add(labels, 1, '_count')
}
