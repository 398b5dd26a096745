// The pool lays a proxy over a class's prototype each time one of its objects is made, over that of the time before:
// after a thousand carts each call of theirs goes through a thousand (workers-sdk#15092, mended after 0.23.0). Here a
// class keeps its first.
const shared = globalThis as { hasOneProxy?: true };
if (!shared.hasOneProxy) {
  shared.hasOneProxy = true;
  const Native = globalThis.Proxy;
  const prototypes = new WeakSet<object>();
  const isPoolProxy = (target: object, { get }: ProxyHandler<object>) =>
    Object.hasOwn(target, "constructor") && get !== undefined && String(get).includes("getUnknownPrototypeKey");

  globalThis.Proxy = new Native(Native, {
    construct(_, [target, handler]: [object, ProxyHandler<object>]) {
      if (prototypes.has(target)) return target;
      const proxy = new Native(target, handler);
      if (isPoolProxy(target, handler)) prototypes.add(proxy);
      return proxy;
    },
  });
}
