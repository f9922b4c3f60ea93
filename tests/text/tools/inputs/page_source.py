def layer(x, w):
    return tanh(x @ w)   # both layers come from this line

def f(x, w1, w2, v):
    return sort(layer(layer(x, w1), w2) + v)
