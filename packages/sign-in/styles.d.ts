// Lets `import '@gatehouse/sign-in/styles.css'` pass a type check that knows no style sheets.
export {}
