/** An application set up as the framework's documentation describes, with the widget on its only page. */
export type Host = {
  /** The base path of the build, with a slash at both ends. */
  at: string
  /** Packages besides React and the widget. */
  packages: string[]
  react: string
  files: Record<string, string>
  /** A program from the application's packages, with its arguments. */
  build: [program: string, ...args: string[]]
  /** The folder with the built pages. */
  output: string
  /** The page's file name, if it is not `index.html`. */
  index?: string
}

const latestReact = 'latest'

const viteReact: Omit<Host, 'react' | 'at'> = {
  packages: ['vite@8'],
  files: {
    'index.html':
      '<!doctype html><html lang="en"><title>Host</title><div id="root"></div><script type="module" src="./main.jsx"></script></html>',
    'main.jsx': `import '@gatehouse/sign-in/styles.css'
      import { SignIn } from '@gatehouse/sign-in'
      import { StrictMode } from 'react'
      import { createRoot } from 'react-dom/client'
      createRoot(document.getElementById('root')).render(<StrictMode><SignIn /></StrictMode>)`,
  },
  build: ['vite/bin/vite.js', 'build', '--base', './'],
  output: 'dist',
}

const hosts = {
  'Vite 8': { ...viteReact, at: '/vite/', react: latestReact },

  'Vite 8 and React 19.0': { ...viteReact, at: '/react-19-0/', react: '19.0.0' },

  /** A server component passes its own texts. Functions cannot be passed to a client component. */
  Next: {
    at: '/next/',
    packages: ['next@latest'],
    react: latestReact,
    files: {
      'next.config.mjs': "export default { output: 'export', basePath: '/next', turbopack: { root: import.meta.dirname } }",
      'app/layout.jsx': `import '@gatehouse/sign-in/styles.css'
        export const metadata = { title: 'Host' }
        export default function Layout({ children }) { return <html lang="en"><body>{children}</body></html> }`,
      'app/page.jsx': `import { SignIn } from '@gatehouse/sign-in'
        import { english } from '@gatehouse/sign-in/messages'
        export default function Page() {
          return <div id="root"><SignIn messages={{ login: { forgotPassword: english.login.forgotPassword } }} /></div>
        }`,
    },
    build: ['next/dist/bin/next', 'build'],
    output: 'out',
  },

  'React Router': {
    at: '/react-router/',
    packages: ['react-router@latest', '@react-router/dev@latest', '@react-router/node@latest', 'isbot@latest', 'vite@8'],
    react: latestReact,
    files: {
      'vite.config.js': `import { reactRouter } from '@react-router/dev/vite'
        export default { base: '/react-router/', plugins: [reactRouter()] }`,
      'react-router.config.js': "export default { ssr: false, basename: '/react-router/', prerender: ['/'], buildDirectory: 'built' }",
      'app/root.jsx': `import '@gatehouse/sign-in/styles.css'
        import { Links, Meta, Outlet, Scripts } from 'react-router'
        export default function Root() {
          return <html lang="en"><head><title>Host</title><Meta /><Links /></head><body><Outlet /><Scripts /></body></html>
        }`,
      'app/routes.js': "import { index } from '@react-router/dev/routes'\nexport default [index('home.jsx')]",
      'app/home.jsx': `import { SignIn } from '@gatehouse/sign-in'
        export default function Home() { return <div id="root"><SignIn /></div> }`,
    },
    build: ['@react-router/dev/bin.cjs', 'build'],
    output: 'built/client',
    index: 'react-router/index.html',
  },

  SvelteKit: {
    at: '/svelte-kit/',
    packages: ['svelte@latest', '@sveltejs/kit@latest', '@sveltejs/adapter-static@latest', '@sveltejs/vite-plugin-svelte@latest', 'vite@8'],
    react: latestReact,
    files: {
      'vite.config.js': `import adapter from '@sveltejs/adapter-static'
        import { sveltekit } from '@sveltejs/kit/vite'
        export default { plugins: [sveltekit({ adapter: adapter(), paths: { base: '/svelte-kit' } })] }`,
      'src/app.html':
        '<!doctype html><html lang="en"><head><title>Host</title>%sveltekit.head%</head><body><div>%sveltekit.body%</div></body></html>',
      'src/routes/+layout.js': 'export const prerender = true',
      'src/routes/+page.svelte': `<script>
        import '@gatehouse/sign-in/styles.css'
        import { mountSignIn } from '@gatehouse/sign-in'
        import { onMount } from 'svelte'
        let root
        onMount(() => mountSignIn(root))
      </script>
      <div id="root" bind:this={root}></div>`,
    },
    build: ['vite/bin/vite.js', 'build'],
    output: 'build',
  },

  Vue: {
    at: '/vue/',
    packages: ['vue@latest', '@vitejs/plugin-vue@latest', 'vite@8'],
    react: latestReact,
    files: {
      'vite.config.js': "import vue from '@vitejs/plugin-vue'\nexport default { base: './', plugins: [vue()] }",
      'index.html':
        '<!doctype html><html lang="en"><title>Host</title><div id="app"></div><script type="module" src="./main.js"></script></html>',
      'main.js': "import { createApp } from 'vue'\nimport App from './App.vue'\ncreateApp(App).mount('#app')",
      'App.vue': `<script setup>
        import '@gatehouse/sign-in/styles.css'
        import { mountSignIn } from '@gatehouse/sign-in'
        import { onMounted, onUnmounted, useTemplateRef } from 'vue'
        const root = useTemplateRef('root')
        let unmount
        onMounted(() => { unmount = mountSignIn(root.value) })
        onUnmounted(() => unmount())
      </script>
      <template><div id="root" ref="root"></div></template>`,
    },
    build: ['vite/bin/vite.js', 'build'],
    output: 'dist',
  },
} satisfies Record<string, Host>

/** Every host, by its name. npm and the bundler need seconds to minutes for each. */
export const everyHost: [name: string, host: Host][] = Object.entries(hosts)

/** A host with a React version that the widget refuses with an error. */
export const hostWithReact18: Host = { ...viteReact, at: '/react-18/', react: '18' }
